/** What the decorators of class-transformer keep. @nestjs/mapped-types reads it from here too. */
declare module 'class-transformer/cjs/storage' {
  import type { TransformationType, TransformFnParams } from 'class-transformer';

  export const defaultMetadataStorage: {
    findTypeMetadata(
      type: object,
      property: string,
    ): { typeFunction: () => new () => object } | undefined;

    findTransformMetadatas(
      type: object,
      property: string,
      direction: TransformationType,
    ): { transformFn: (params: TransformFnParams) => unknown }[];
  };
}
