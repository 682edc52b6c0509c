// The commands, in the order of the help: one file and one line each.
import type { Command } from '../command';
import { evalCommand } from './eval';
import { rescueCommand } from './rescue';

export const COMMANDS: readonly Command[] = [evalCommand, rescueCommand];
