// What the messages of both protocols have in common. Pure.
import type { Role } from '../../types';
import { isJsonObject } from './json-value';
import type { JsonObject } from './json-value';

const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
};

/** Both servers accept any role. An unknown one is only context, so it becomes `system`. */
export function toRole(role: unknown): Role {
  return (typeof role === 'string' ? ROLES[role.toLowerCase()] : undefined) ?? 'system';
}

const ERROR_PREFIX = 'Error: ';

/** The text of a tool result; that of a failed tool begins with `Error: `. */
export function fromResultText(text: string): { content: string; isError: boolean } {
  const isError = text.startsWith(ERROR_PREFIX);
  return { content: isError ? text.slice(ERROR_PREFIX.length) : text, isError };
}

export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
