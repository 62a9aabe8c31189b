import 'reflect-metadata';
import { Event } from '../../platform/event/event.entity';
import { Transfer } from '../../insight/ledger/transfer.entity';
import { runOperatorCommand } from '../../platform/operator/operator-cli.service';
import { ARCHIVE_COMMAND } from './archive.commands';

/* `npm run archive`. */
void runOperatorCommand(ARCHIVE_COMMAND, [Event, Transfer]);
