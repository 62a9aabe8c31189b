/** A port to listen on is in use; `message` names the variable that sets it. */
export class PortInUseError extends Error {
  constructor(variable: 'PORT' | 'METRICS_PORT', port: number, host: string) {
    super(`Port ${port} of ${host} is in use: set ${variable} to a free one.`);
  }
}

/** Whether a server could not listen because another one does. */
export function isPortInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
