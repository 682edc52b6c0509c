// Recognizes the parts of protocols that name the kind of each object in its field `type`.
import { isRecord } from '../../library';
import type { JsonDocument } from './repair-wire';

export const isType = (value: unknown, type: string): value is JsonDocument =>
  isRecord(value) && value['type'] === type;
