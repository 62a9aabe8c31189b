import 'reflect-metadata';
import { Event } from '../event/event.entity';
import { Transfer } from '../ledger/transfer.entity';
import { runOperatorCommand } from '../operator/operator-cli.service';
import { ARCHIVE_COMMAND } from './archive.commands';

/* `npm run archive`. */
void runOperatorCommand(ARCHIVE_COMMAND, [Event, Transfer]);
