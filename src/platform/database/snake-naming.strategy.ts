import { DefaultNamingStrategy, NamingStrategyInterface } from 'typeorm';

/** Separates words: `rewardAmount` becomes `reward_amount`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (part) => `_${part.toLowerCase()}`).replace(/^_/, '');
}

/** Names tables and columns in snake_case, like the fields of the API. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(className: string, customName?: string): string {
    return customName ?? snakeCase(className);
  }

  override columnName(propertyName: string, customName?: string): string {
    return customName ?? snakeCase(propertyName);
  }
}
