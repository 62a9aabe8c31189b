import { DefaultNamingStrategy, NamingStrategyInterface } from 'typeorm';

/** Separates words and numbers: `cohort1Reward` becomes `cohort_1_reward`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`).replace(/^_/, '');
}

/** Names tables and columns in snake_case, like the fields of the API. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(className: string, customName?: string): string {
    return customName ?? snakeCase(className);
  }

  // The columns of an embedded entity have no prefix, because their names are already unique.
  override columnName(propertyName: string, customName?: string): string {
    return customName ?? snakeCase(propertyName);
  }
}
