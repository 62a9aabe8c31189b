import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';

type Transformation = (value: unknown, obj: object) => unknown;

/** The class that `@Type()` gives a property. */
export const typeOf = (type: object, property: string) =>
  defaultMetadataStorage.findTypeMetadata(type, property)?.typeFunction();

/** What the `@Transform()`s of a property make of a value, in their order. */
export function transformationsOf(type: object, property: string): Transformation[] {
  const direction = TransformationType.PLAIN_TO_CLASS;
  return defaultMetadataStorage.findTransformMetadatas(type, property, direction).map(
    ({ transformFn }) =>
      (value, obj) =>
        transformFn({ value, key: property, obj, type: direction, options: {} }),
  );
}
