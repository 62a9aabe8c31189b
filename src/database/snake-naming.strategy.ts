import { DefaultNamingStrategy, NamingStrategyInterface } from 'typeorm';

/** Words and numbers apart: `cohort1Reward` is `cohort_1_reward`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`).replace(/^_/, '');
}

/** Tables and columns are snake_case, in the words of the API. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(className: string, customName?: string): string {
    return customName ?? snakeCase(className);
  }

  // An embedded entity's columns carry no prefix: their names are distinct as they are.
  override columnName(propertyName: string, customName?: string): string {
    return customName ?? snakeCase(propertyName);
  }
}
