import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

it('every file of features belongs to one of the two halves', () => {
  const halves = ['features-1.spec.ts', 'features-2.spec.ts']
    .map((name) => readFileSync(join(__dirname, name), 'utf8'))
    .join();
  const imported = [...halves.matchAll(/features\/([\w-]+)'/g)].map(([, name]) => `${name}.ts`);
  expect(imported.toSorted()).toEqual(readdirSync(join(__dirname, 'features')).toSorted());
});
