/** A generator, the options it needs, and a program that uses the client it makes. */
export interface Generator {
  name: string;
  /** Its file in `node_modules`, and the arguments that make a client of `./openapi.json`. */
  command: readonly [file: string, ...args: string[]];
  /** Whether it needs a newer Node than the service does. */
  newerNode?: true;
  /** What it reads from `config.json`. */
  config?: object;
  /** The compiler options that its client needs besides {@link COMPILER_OPTIONS}. */
  compilerOptions?: { module?: 'commonjs' } & Record<string, unknown>;
  program: string;
}

/** `strict` and the checks it leaves off. */
export const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom'],
  types: [],
  outDir: 'out',
  // The clients are checked, not the declarations of the packages that they import.
  skipLibCheck: true,
};

/*
 * Every program makes the same journey: it registers a company, logs in, generates a key, creates a
 * survey, sets its questions, reads them, sets its cohort rewards, starts it and lists the
 * company's campaigns; a request without a key is refused. Its annotations and expected errors have
 * the compiler check that the client's types are the document's, not `any`.
 */

/** The module `journey.ts` of every program: what it sends. */
export const JOURNEY = `
declare const process: { argv: string[] };
export const [, , baseUrl = '', email = ''] = process.argv;
export const company = { name: 'A Company', email, password: 'a long enough password' };
export const survey = {
  title: 'A survey',
  description: 'd',
  category: 'c',
  tagline: 't',
  reward_amount: 100,
};
export const questions = [
  { type: 'single_choice' as const, question: 'How many?', options: ['None', 'More'] },
  { type: 'text' as const, question: 'Why?' },
];
export const rewards = {
  cohort_1_reward: 5,
  cohort_2_reward: 35,
  cohort_3_reward: 55.5,
  cohort_4_reward: 75,
  cohort_5_reward: 100,
};
`;
