// Sets up the pre-commit check in a Git working copy.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (process.env.NODE_ENV !== 'production' && existsSync('.git')) {
  const { error, status } = spawnSync('git', ['config', 'core.hooksPath', 'scripts/hooks'], {
    stdio: 'inherit',
  });
  if (error !== undefined || status !== 0) {
    console.error('The pre-commit check is not set up: git config failed.', error?.message ?? '');
  }
}
