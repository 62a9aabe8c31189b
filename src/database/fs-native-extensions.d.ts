declare module 'fs-native-extensions' {
  /** Asks for an exclusive lock on an open file; `false` if another one holds it. */
  export function tryLock(fileDescriptor: number): boolean;
  export function unlock(fileDescriptor: number): void;
}
