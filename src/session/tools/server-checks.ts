// Tells what the servers of the lanes refuse in the tools of the document, before anything is sent, and makes forms that can be sent.
// Never keeps a run from starting. Independent of views.
import { t } from '@vscode/l10n';
import { countOf } from '../../inspect';
import type { RefusedKind, RefusedPart } from '../../library';
import { findRefused, reduceTool } from '../../library';
import type { ConnectionView, DocumentTool, ToolCheck } from '../../protocol';
import { editsBetween } from '../document/text/edits-between';
import type { EditableDocument } from '../editing/editable-document';
import type { Clock, ConnectionSource } from '../ports';
import { refuse } from '../refusal';
import type { TextPair } from '../run/record/compare-runs';
import type { ResolvedTool } from './resolve-tools';

/** How many places of one kind are listed. */
const MAX_PLACES = 3;
/** In milliseconds: a server that did not tell what it is may be running after this time. */
const ASKED_AGAIN_MS = 15_000;

/** What each kind looks like in a tool. */
const KINDS: Readonly<Record<RefusedKind, () => string>> = {
  'long-description': () => t('A description of more than {0} characters', 1024),
  'top-not-object': () => t('Parameters whose `type` is not `object`'),
  'union-at-top': () => t('`anyOf`, `oneOf` or `allOf` at the top level'),
  'value-at-top': () => t('`enum`, `const` or `not` at the top level'),
  'array-without-items': () => t('A list without `items`'),
  'array-without-item-type': () => t('A list whose `items` have no type'),
  'required-without-properties': () => t('`required` without `properties`'),
  'unknown-required': () => t('A name in `required` that `properties` does not have'),
  'pattern-anchors': () => t('A pattern that does not begin with `^` and end with `$`'),
  'pattern-escape': () => t('A pattern with an escape that grammars do not have, such as `\\d`'),
  'long-repetition': () => t('A length of {0} or more', 2000),
  'unresolved-ref': () => t('A `$ref` that leads to nothing in the schema'),
  'boolean-schema': () => t('`true` or `false` in place of a schema'),
  'unknown-keyword': () => t('A keyword that it does not know'),
  'list-value': () => t('A list in `type` or `items`'),
  'enum-not-text': () => t('An `enum` that has other values than texts'),
  'empty-properties': () => t('`properties` without any property'),
  'text-format': () => t('A `format` other than `date-time` and `enum`'),
};

interface Place {
  toolId: string;
  server: string;
}

export class ServerChecks {
  readonly #editable: EditableDocument;
  readonly #connections: Pick<ConnectionSource, 'serverOf'>;
  readonly #knownConnections: () => readonly ConnectionView[];
  readonly #clock: Pick<Clock, 'now'>;
  /** By the connection as it is shown: another address or protocol is another server. */
  readonly #servers = new Map<string, { server: Promise<string | undefined>; askedAt: number }>();

  constructor(
    editable: EditableDocument,
    services: {
      connections: Pick<ConnectionSource, 'serverOf'>;
      knownConnections: () => readonly ConnectionView[];
      clock: Pick<Clock, 'now'>;
    },
  ) {
    this.#editable = editable;
    this.#connections = services.connections;
    this.#knownConnections = services.knownConnections;
    this.#clock = services.clock;
  }

  /** @returns what is refused, by tool and server; empty when no server of a lane is known. Never rejects */
  async check(): Promise<ToolCheck[]> {
    await this.#editable.resolved();
    const { lanes } = this.#editable.document;
    const servers = await Promise.all(lanes.map(({ connection }) => this.#serverOf(connection)));
    const laneIds = new Map<string, string[]>();
    for (const [index, server] of servers.entries()) {
      const { id } = lanes[index] ?? {};
      if (server !== undefined && id !== undefined) laneIds.set(server, [...(laneIds.get(server) ?? []), id]);
    }
    const { tools, toolIds } = this.#editable;
    return tools.flatMap(({ tool, index }) =>
      [...laneIds].flatMap(([server, ids]) => {
        const parts = findRefused(tool, server);
        return parts.length === 0
          ? []
          : [
              {
                toolId: toolIds[index] ?? '',
                server,
                laneIds: ids,
                problems: describeParts(parts),
                isPartial: parts.every(({ isPartial }) => isPartial),
                isReducible: reduceTool(tool, server) !== undefined,
              },
            ];
      }),
    );
  }

  /** Texts of a tool and of its reduced form, to be compared line by line. @throws RefusalError */
  async texts(place: Place): Promise<TextPair> {
    const { found, reduced } = await this.#reduce(place);
    const { name } = found.tool;
    return {
      title: t('{0} ↔ reduced for {1}', name, place.server),
      left: { name: 'tool.json', text: print(found.tool) },
      right: { name: 'tool-reduced.json', text: print(reduced) },
    };
  }

  /** Replaces a tool with its reduced form, in one step that can be undone. @throws RefusalError, EditRefusedError */
  async useReduced(place: Place): Promise<void> {
    await this.#editable.flush();
    const { found, reduced } = await this.#reduce(place);
    if (found.reference !== undefined) {
      throw refuse(t('The tool comes from a library.'), t('Change it there, or duplicate it first.'));
    }
    const { tool, index } = found;
    const edits = (['parameters', 'description'] as const).flatMap((key) =>
      editsBetween(tool[key], reduced[key], ['tools', index, key]),
    );
    await this.#editable.edit(edits);
  }

  async #reduce({ toolId, server }: Place): Promise<{ found: ResolvedTool; reduced: DocumentTool }> {
    await this.#editable.resolved();
    const found = this.#editable.tools.find(({ index }) => this.#editable.toolIds[index] === toolId);
    const reduced = found && reduceTool(found.tool, server);
    if (found && reduced) return { found, reduced };
    throw refuse(t('The tool has no reduced form.'), t('Edit it as JSON.'));
  }

  #serverOf(connectionId: string): Promise<string | undefined> {
    const view = this.#knownConnections().find(({ id }) => id === connectionId);
    if (!view || view.problem !== undefined) return Promise.resolve(undefined);
    const key = JSON.stringify([connectionId, view.provider, view.address, view.hasKey]);
    const known = this.#servers.get(key);
    const now = this.#clock.now();
    if (known && now - known.askedAt < ASKED_AGAIN_MS) return known.server;
    const server = this.#connections.serverOf(connectionId).then((label) => {
      // What is known once stays, as long as the address is the same.
      if (label !== undefined) this.#servers.set(key, { server, askedAt: Infinity });
      return label;
    });
    this.#servers.set(key, { server, askedAt: now });
    return server;
  }
}

/** One sentence for each kind, with its first places. */
function describeParts(parts: readonly RefusedPart[]): string[] {
  const kinds = [...new Set(parts.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const found = parts.filter((part) => part.kind === kind);
    const places = found.slice(0, MAX_PLACES).map(({ path }) => `\`${toShown(path)}\``);
    const rest = found.length - places.length;
    const more = rest > 0 ? [countOf(rest, t('{0} more place'), t('{0} more places'))] : [];
    return t('{0}: {1}.', KINDS[kind](), [...places, ...more].join(', '));
  });
}

const MAX_PATH = 120;

/** Shortens the path in the middle: its end names the part. */
function toShown(path: string): string {
  const shown = path.replace(/^\/parameters(?=\/)/, '').replaceAll('`', "'");
  return shown.length <= MAX_PATH ? shown : `${shown.slice(0, 40)}…${shown.slice(40 - MAX_PATH)}`;
}

function print({ name, description, parameters }: DocumentTool): string {
  return `${JSON.stringify({ name, ...(description !== undefined && { description }), parameters }, null, 2)}\n`;
}
