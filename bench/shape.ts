const NULL = ': null';

/**
 * Returns the members of responses and the types of their values, such as `data.items[].id:
 * number`. Two responses count as alike if this is equal.
 */
export class Shape {
  private readonly found = new Set<string>();

  add(value: unknown, path = ''): void {
    if (Array.isArray(value)) {
      // An empty list says as little of its entries as null says of a member.
      (value.length === 0 ? [null] : value).forEach((entry: unknown) => {
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

/**
 * Removes members that are null in some responses only: which of them a sample contains is chance,
 * so they cannot be compared.
 */
export function withoutOptional(members: readonly string[], all: readonly string[]): string[] {
  const isAt = (path: string) => (member: string) =>
    [`${path}:`, `${path}.`, `${path}[`].some((start) => member.startsWith(start));
  const optional = [...new Set(all)]
    .filter((member) => member.endsWith(NULL))
    .map((member) => member.slice(0, -NULL.length))
    .filter((path) => all.some((member) => isAt(path)(member) && member !== path + NULL));
  return members.filter((member) => !optional.some((path) => isAt(path)(member)));
}
