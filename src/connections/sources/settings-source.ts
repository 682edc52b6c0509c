// The connections that a person has set up, each with its scope.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import type { Connection, ConnectionScope, NarrowedField } from '../connection';
import { EDITOR_MODELS_ID, isReservedId, NARROWED_FIELDS, toConnection } from '../connection';
import type { Face } from '../face';
import type { ScopedSetting, Settings } from '../ports';
import type { MisplacedEntry, Source } from './source';
import { isRecord } from '../../library';

type Entries = Record<string, unknown>;

export class SettingsSource implements Source {
  readonly #settings: Settings;
  readonly #builtIn: Source;
  readonly #face: Face;

  /** @param builtIn Connections whose ids no entry can have. */
  constructor(settings: Settings, builtIn: Source, face: Face) {
    this.#settings = settings;
    this.#builtIn = builtIn;
    this.#face = face;
  }

  list(): Connection[] {
    const found = this.#settings.read('connections');
    const users = toEntries(found.user);
    return Object.entries(toEntries(found.merged)).flatMap(([id, value]) => {
      if (this.#reservedIdProblem(id) !== undefined) return [];
      const narrowed = narrowedFields(toEntries(users[id]), toEntries(value));
      return {
        ...toConnection(id, value, scopeOf(found, id), this.#face),
        ...(narrowed.length > 0 && { narrowed }),
      };
    });
  }

  misplaced(): MisplacedEntry[] {
    const found = this.#settings.read('connections');
    const { merged, user } = found;
    const { connections: setting } = this.#face;
    if (merged !== undefined && merged !== null && !isRecord(merged)) {
      const scope = user === undefined || isRecord(user) ? 'workspace' : 'user';
      const problem = t('{0} must be an object of connections with their ids as keys.', setting);
      return [{ id: setting, scope, problem }];
    }
    return Object.keys(toEntries(merged)).flatMap((id) => {
      const why = this.#reservedIdProblem(id);
      if (why === undefined) return [];
      const problem = t('In {0}, “{1}” {2}: choose another one.', setting, id, why);
      return { id, scope: scopeOf(found, id), problem };
    });
  }

  /** Why no connection can have this id; follows the id in a sentence. */
  #reservedIdProblem(id: string): string | undefined {
    if (id.trim() === '') return t('is empty');
    if (id === EDITOR_MODELS_ID || this.#builtIn.list().some((connection) => connection.id === id))
      return t('is the id of a built-in connection');
    return isReservedId(id) ? t('begins like the id of a custom provider') : undefined;
  }
}

/** The narrowest scope that contributes to the entry, because that may have changed the address. */
function scopeOf({ folder, workspace }: ScopedSetting, id: string): ConnectionScope {
  if (Object.hasOwn(toEntries(folder), id)) return 'folder';
  return Object.hasOwn(toEntries(workspace), id) ? 'workspace' : 'user';
}

/** Fields that a scope other than the user's decides; the scopes are merged key by key. */
const narrowedFields = (users: Entries, merged: Entries): NarrowedField[] =>
  NARROWED_FIELDS.filter((field) => !isDeepStrictEqual(users[field], merged[field]));

/** Settings are written by hand, so anything but an object counts as empty. */
const toEntries = (value: unknown): Entries => (isRecord(value) ? value : {});
