declare module 'fs-native-extensions' {
  /** Requests an exclusive lock on an open file. Returns `false` if another process holds it. */
  export function tryLock(fileDescriptor: number): boolean;
  export function unlock(fileDescriptor: number): void;
}
