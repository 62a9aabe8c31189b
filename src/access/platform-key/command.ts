import 'reflect-metadata';
import { runOperatorCommand } from '../../platform/operator/operator-cli.service';
import { PLATFORM_KEY_COMMAND } from './platform-key.commands';
import { PlatformKey } from './platform-key.entity';

/* `npm run platform-key`. */
void runOperatorCommand(PLATFORM_KEY_COMMAND, [PlatformKey]);
