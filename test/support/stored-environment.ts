import { readId, storedId, StoredId } from '../../src/database/identifiers';
import { environmentOf } from '../../src/http/environment.rules';

/** Returns the stored form of what a company, or its test environment, is printed as. */
export function storedEnvironment(text: string): StoredId | null {
  const parts = readId(text);
  return parts?.prefix === 'test' ? environmentOf(parts.id, 'test') : storedId('co', text);
}
