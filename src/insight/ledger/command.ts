import 'reflect-metadata';
import { runOperatorCommand } from '../../platform/operator/operator-cli.service';
import { RECONCILE_COMMAND } from './reconcile.commands';

/* `npm run reconcile`. */
void runOperatorCommand(RECONCILE_COMMAND, []);
