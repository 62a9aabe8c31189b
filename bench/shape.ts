/**
 * The members of answers and the types of their values, such as `data.items[].id: number`. Answers
 * are alike if this is.
 */
export class Shape {
  private readonly found = new Set<string>();

  add(value: unknown, path = ''): void {
    if (Array.isArray(value)) {
      value.forEach((entry) => {
        this.add(entry, `${path}[]`);
      });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        this.add(member, path === '' ? name : `${path}.${name}`);
      }
    } else {
      this.found.add(`${path}: ${value === null ? 'null' : typeof value}`);
    }
  }

  get members(): string[] {
    return [...this.found].sort();
  }
}
