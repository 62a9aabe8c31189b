interface Listener {
  calls: Set<() => void>;
  remove(): void;
}

const listeners = new WeakMap<AbortSignal, Listener>();

/**
 * Calls a function when the signal is aborted. A signal gets one listener, however many calls share
 * it: Node.js warns about more than ten.
 *
 * @returns a function that stops listening
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
  if (signal === undefined) {
    return () => undefined;
  }
  if (signal.aborted) {
    call();
    return () => undefined;
  }
  const listener = listeners.get(signal) ?? listen(signal);
  // Two calls may pass the same function.
  const entry = () => call();
  listener.calls.add(entry);
  return () => {
    if (listener.calls.delete(entry) && listener.calls.size === 0) {
      listener.remove();
    }
  };
}

function listen(signal: AbortSignal): Listener {
  const calls = new Set<() => void>();
  const fire = () => calls.forEach((call) => call());
  const remove = () => {
    signal.removeEventListener('abort', fire);
    listeners.delete(signal);
  };
  signal.addEventListener('abort', fire);
  const listener = { calls, remove };
  listeners.set(signal, listener);
  return listener;
}

/** Timers with a longer delay fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for a time, 24 days at the most, or until the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    let stop = () => undefined as void;
    const end = () => {
      stop();
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, MAX_TIMER_MS));
    stop = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Settles like the promise, or rejects with the signal's reason if the signal is aborted first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal?.reason));
    void promise.then(resolve, reject).then(stop);
  });
}
