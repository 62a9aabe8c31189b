import 'reflect-metadata';
import { runOperatorCommand } from '../../platform/operator/operator-cli.service';
import { BACKUP_COMMAND } from './backup.commands';

/* `npm run backup`. */
void runOperatorCommand(BACKUP_COMMAND, []);
