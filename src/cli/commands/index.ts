// The commands, in the order of the help: one file and one line each.
import type { Command } from '../command';
import { diagnoseCommand } from './diagnose';
import { evalCommand } from './eval';
import { judgeCommand } from './judge';
import { mergeCommand } from './merge';
import { modelsCommand } from './models';
import { proxyCommand } from './proxy';
import { rescueCommand } from './rescue';
import { runCommand } from './run';

export const COMMANDS: readonly Command[] = [
  evalCommand,
  mergeCommand,
  judgeCommand,
  runCommand,
  rescueCommand,
  modelsCommand,
  diagnoseCommand,
  proxyCommand,
];
