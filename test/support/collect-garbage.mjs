/*
 * Loaded before the service by `node --import`. It collects all garbage at SIGUSR2, so that memory
 * can be measured without the up to 64 MiB of freed buffers that V8 leaves to its next collection.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('SIGUSR2', () => collectGarbage());
