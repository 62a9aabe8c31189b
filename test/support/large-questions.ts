/** Questions of about 1.9 MiB, so that every response with them is that large. */
export const LARGE_QUESTIONS = Array.from({ length: 100 }, (_, index) => ({
  type: 'single_choice',
  question: `Question ${index}`,
  options: Array.from({ length: 94 }, (__, option) => `${option} `.padEnd(200, 'x')),
}));
