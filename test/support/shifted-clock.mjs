/*
 * Loaded before the service by `node --import`. It shifts the date and time by CLOCK_OFFSET
 * milliseconds, and by CLOCK_STEP after SIGUSR2. The monotonic clock is not affected, as on a
 * machine whose time is set.
 */

let offset = Number(process.env.CLOCK_OFFSET ?? 0);

const now = Date.now.bind(Date);

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now() + offset] : args, newTarget),
  get: (target, name, receiver) =>
    name === 'now' ? () => now() + offset : Reflect.get(target, name, receiver),
});

process.on('SIGUSR2', () => {
  offset = Number(process.env.CLOCK_STEP);
});
