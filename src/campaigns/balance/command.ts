import 'reflect-metadata';
import { runOperatorCommand } from '../../platform/operator/operator-cli.service';
import { BALANCE_COMMAND } from './balance.commands';

/* `npm run balance`. */
void runOperatorCommand(BALANCE_COMMAND, []);
