/** Says what was measured, in one line beside the report of the tests. */
export function figures(subject: string, values: Record<string, number>): void {
  const list = Object.entries(values).map(([name, value]) => `${name} ${Math.round(value)}`);
  process.stdout.write(`${subject}: ${list.join(', ')}\n`);
}
