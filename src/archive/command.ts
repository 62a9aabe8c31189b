import 'reflect-metadata';
import { Event } from '../event/event.entity';
import { runOperatorCommand } from '../operator/operator-cli.service';
import { ARCHIVE_COMMAND } from './archive.commands';

/* `npm run archive`. */
void runOperatorCommand(ARCHIVE_COMMAND, [Event]);
