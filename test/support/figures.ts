/** Prints measured figures in one line beside the test report. */
export function figures(subject: string, values: Record<string, number>): void {
  const list = Object.entries(values).map(([name, value]) => `${name} ${Math.round(value)}`);
  process.stdout.write(`${subject}: ${list.join(', ')}\n`);
}
