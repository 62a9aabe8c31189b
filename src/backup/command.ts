import 'reflect-metadata';
import { runOperatorCommand } from '../operator/operator-cli.service';
import { BACKUP_COMMAND } from './backup.commands';

/* `npm run backup`. */
void runOperatorCommand(BACKUP_COMMAND, []);
