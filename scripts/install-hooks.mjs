// Sets up the pre-commit check in a working copy; a production install and a copy without git have none.
import { existsSync } from 'node:fs';

if (process.env.NODE_ENV !== 'production' && existsSync('.git')) {
  try {
    const { default: husky } = await import('husky');
    process.stdout.write(husky());
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') {
      throw error;
    }
  }
}
