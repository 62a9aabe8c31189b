import 'reflect-metadata';
import { runOperatorCommand } from '../../platform/operator/operator-cli.service';
import { SETTLEMENT_COMMAND } from './settlement.commands';
import { Settlement } from './settlement.entity';

/* `npm run settlement`. */
void runOperatorCommand(SETTLEMENT_COMMAND, [Settlement]);
