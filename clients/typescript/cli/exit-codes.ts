/** How the program ends. Scripts may rely on these numbers. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The service, or the program itself, refuses what was sent: it is invalid or conflicts. */
  refused: 3,
  /** A plan is valid, but the campaign could not be started. */
  notReady: 4,
  /** The credential is missing or wrong, or does not allow this. */
  credential: 5,
  /** The document or the campaign has changed since it was planned. */
  changed: 6,
  /** The service cannot be reached, fails, or has had too many requests: try again later. */
  unavailable: 7,
  /** What was verified is not genuine, or not complete. */
  notGenuine: 8,
  /** The account has to approve the request first. */
  approval: 9,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
