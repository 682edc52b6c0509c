// The finding about a tool that a server refuses: which tool of the request it is, at which parameter, and what it has
// there. Pure.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { Finding, Remedy } from '../../types';
import type { SchemaFault } from '../tool-schema/schema-faults';
import { findFault } from '../tool-schema/schema-faults';
import type { SchemaPlace } from '../tool-schema/walk-schema';
import { followPath, listSchemas } from '../tool-schema/walk-schema';
import { inRequest, quote } from './diagnosis-input';

interface SentTool {
  index: number;
  name: string;
  parameters: unknown;
}

/** Where in the request the refused part is. */
interface Found {
  tool: SentTool;
  place?: SchemaPlace | undefined;
  fault?: SchemaFault | undefined;
}

const MAX_TOOLS = 1_000;
/** The name that every service accepts. */
const USUAL_NAME = /^[a-zA-Z_][\w-]{0,63}$/;
/** Members of a request that have a schema too. */
const FORMS = ['response_format', 'format', 'json_schema', 'grammar', 'guided_json', 'structured_outputs'];

/**
 * @param said What the server said.
 * @returns undefined for a request without tools
 */
export function refusedTool(said: string, body: Record<string, unknown>): Omit<Finding, 'tab'> | undefined {
  const tools = readTools(body);
  if (tools.length === 0) return undefined;
  const named = findTool(said, tools);
  if (isAboutName(said)) {
    const refused = named ?? tools.find(({ name }) => !USUAL_NAME.test(name));
    if (refused) return refusedName(refused);
  }
  const found = named ? locate([named], said) : locate(tools, said);
  const tool = found?.tool ?? named;
  // The schema may be the one of the reply's form.
  if (!tool && FORMS.some((key) => body[key] !== undefined)) return undefined;
  if (!tool) {
    return {
      cause: 'refused-tool',
      severity: 'error',
      what: t('The server refuses the schema of one of the {0} tools, and does not say which.', tools.length),
      next: t('Offer the tools one after the other to find it.'),
    };
  }
  return describe({ tool, ...found });
}

function readTools({ tools }: Record<string, unknown>): SentTool[] {
  return (Array.isArray(tools) ? tools.slice(0, MAX_TOOLS) : []).flatMap((entry: unknown, index) => {
    const target = isRecord(entry) && isRecord(entry['function']) ? entry['function'] : undefined;
    const { name, parameters } = target ?? {};
    return typeof name === 'string' ? [{ index, name, parameters }] : [];
  });
}

/** The index of a path, also of gateways that have all functions in the declarations of one tool; or the name. */
function findTool(said: string, tools: readonly SentTool[]): SentTool | undefined {
  const [, declared] = /function_?declarations(?:\[|\.)(\d{1,4})/i.exec(said) ?? [];
  const [, bracketed, dotted] = /\btools(?:\[(\d{1,4})\]|\.(\d{1,4})(?!\d))/.exec(said) ?? [];
  const index = declared ?? bracketed ?? dotted;
  if (index !== undefined) return tools.find((tool) => tool.index === Number(index));
  const [only] = tools;
  return tools.length === 1 ? only : tools.find(({ name }) => says(said, name));
}

/** As `function 'name'`, or as `name` before what it is. */
function says(said: string, name: string): boolean {
  const written = escape(name);
  return new RegExp(
    String.raw`\b(?:function|tool)(?: name)?:? ['"\x60]?${written}(?![\w-])|['"\x60]${written}['"\x60] (?:function|tool)`,
    'i',
  ).test(said);
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** The path of a name ends in it. */
const isAboutName = (said: string): boolean =>
  /(?:function|custom|declarations\[\d+\]|toolSpec|tools\.\d+|tools\[\d+\])\.name\b/i.test(said) ||
  /invalid (?:function|tool) name|(?:function|tool) name (?:is )?invalid/i.test(said);

/** By the path that the server names, or by looking for what it refuses. */
function locate(tools: readonly SentTool[], said: string): Found | undefined {
  const path = readPath(said);
  const ends = tools.flatMap((tool) => {
    const end = path === undefined ? undefined : followPath(tool.parameters, path);
    return end && end.place.pointer !== '' ? [{ tool, ...end }] : [];
  });
  const most = ends.some(({ isWhole }) => isWhole) ? ends.filter(({ isWhole }) => isWhole) : ends;
  for (const { tool, place } of most) {
    const found = findFault([place], said);
    if (found) return { tool, ...found };
  }
  const [first] = most;
  if (first && (most.length === 1 || tools.length === 1)) return first;
  const owners = new Map(
    tools.flatMap((tool) => listSchemas(tool.parameters).map((place) => [place, tool] as const)),
  );
  const found = findFault([...owners.keys()], said);
  const owner = found && owners.get(found.place);
  return owner && { tool: owner, ...found };
}

/** The part of a path that begins at the parameters. */
function readPath(said: string): string | undefined {
  const [, listed] = /context=\(([^)]{1,300})\)/.exec(said) ?? [];
  if (listed !== undefined) return listed.replaceAll(/['"\s]/g, '').replaceAll(',', '.');
  const [, at] = /\bAt path ['"`]([^'"`]{1,300})['"`]/i.exec(said) ?? [];
  const [, after] = /(?:parameters|input_?schema(?:\.json)?)\.([\w.[\]$-]{1,300})/i.exec(said) ?? [];
  return at ?? after;
}

function refusedName({ index, name }: SentTool): Omit<Finding, 'tab'> {
  const to = name
    .replaceAll(/[^\w-]+/g, '_')
    .replace(/^[^a-zA-Z_]+/, '')
    .slice(0, 64);
  const remedies: Remedy[] = to === '' || to === name ? [] : [{ kind: 'rename-tool', tool: name, to }];
  return {
    cause: 'refused-tool',
    severity: 'error',
    what: t('The server refuses the name of the tool `{0}`.', name),
    evidence: [quote(inRequest(`/tools/${index}/function/name`), name)],
    next: t('Use a name of at most 64 letters, digits, `_` and `-` that begins with a letter.'),
    remedies,
  };
}

function describe({ tool, place, fault }: Found): Omit<Finding, 'tab'> {
  const { index, name, parameters } = tool;
  const at = place?.name ?? '';
  const said =
    at === ''
      ? t('The server refuses the schema of the tool `{0}`', name)
      : t('The server refuses the schema of the tool `{0}` at its parameter `{1}`', name, at);
  return {
    cause: 'refused-tool',
    severity: 'error',
    what: fault ? t('{0}: {1}.', said, fault.what) : t('{0}.', said),
    evidence: [
      quote(
        inRequest(`/tools/${index}/function/parameters${place?.pointer ?? ''}`),
        place?.schema ?? parameters,
      ),
    ],
    next:
      fault?.next ??
      t(
        'Make the schema simpler there, or do not offer this tool; the answer of the server says what it expects.',
      ),
  };
}
