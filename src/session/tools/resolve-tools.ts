// The tools of a document as they are used: references followed, and what is wrong with each said. Knows no library, only
// who to ask for one.
import { t } from '@vscode/l10n';
import type { DocumentTool, ToolReference } from '../../protocol';
import { DOCUMENT_LIMIT } from '../../protocol';
import { checkSchema } from './schema/check-schema';
import { countOf, cutShort } from './json-words';
import { toolNameProblem } from './tool-name-problem';

const MOST_FINDINGS = 5;

export interface ResolvedTool {
  tool: DocumentTool;
  /** Of the entry in the document. */
  index: number;
  /** When the document refers to the tool. */
  reference?: string;
  /** Sentences. */
  problems: string[];
}

/**
 * @param resolve As of a `ToolSource`: gives the tool, or says in one sentence why there is none.
 * @returns one for each entry, in their order; one that cannot be resolved is not offered. Never rejects
 */
export async function resolveTools(
  tools: ReadonlyArray<DocumentTool | ToolReference>,
  resolve: (reference: string) => Promise<DocumentTool | string>,
): Promise<ResolvedTool[]> {
  // each reference is asked for once, however often it stands there
  const asked = new Map<string, Promise<DocumentTool | string>>();
  const ask = (reference: string): Promise<DocumentTool | string> => {
    const answer = asked.get(reference) ?? askSafely(reference, resolve);
    asked.set(reference, answer);
    return answer;
  };
  const resolved = await Promise.all(tools.map((entry, index) => resolveOne(entry, index, ask)));
  return addDuplicates(resolved);
}

async function askSafely(
  reference: string,
  resolve: (reference: string) => Promise<DocumentTool | string>,
): Promise<DocumentTool | string> {
  try {
    return await resolve(reference);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return reason === ''
      ? t('The tool {0} could not be read.', cutShort(reference))
      : t('The tool {0} could not be read: {1}.', cutShort(reference), reason);
  }
}

async function resolveOne(
  entry: DocumentTool | ToolReference,
  index: number,
  ask: (reference: string) => Promise<DocumentTool | string>,
): Promise<ResolvedTool> {
  if (!('$ref' in entry)) return { tool: entry, index, problems: findProblems(entry) };
  const { $ref: reference, offered, mocks } = entry;
  const found = await ask(reference);
  if (typeof found === 'string') {
    return { tool: toPlaceholder(entry), index, reference, problems: [found] };
  }
  const tool = { ...found, offered, ...(mocks !== undefined && { mocks }) };
  return { tool, index, reference, problems: findProblems(tool) };
}

function toPlaceholder({ $ref, mocks }: ToolReference): DocumentTool {
  const parameters = { type: 'object', properties: {} };
  return { name: lastPartOf($ref), parameters, offered: false, mocks: mocks ?? [] };
}

/** `get_weather` of `./tools.json#/get_weather`; never empty. */
function lastPartOf(reference: string): string {
  const part = reference.split(/[#/]/).findLast((each) => each !== '') ?? reference;
  return decode(part).replaceAll('~1', '/').replaceAll('~0', '~').slice(0, DOCUMENT_LIMIT.name) || 'tool';
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function findProblems({ name, parameters }: DocumentTool): string[] {
  const nameProblem = toolNameProblem(name);
  const findings = checkSchema(parameters);
  const rest = findings.length - MOST_FINDINGS;
  return [
    ...(nameProblem === undefined ? [] : [nameProblem]),
    ...findings
      .slice(0, MOST_FINDINGS)
      .map(({ path, message }) => t('In its parameters, {0} {1}.', path || t('all'), message)),
    ...(rest > 0
      ? [
          countOf(
            rest,
            t('Its parameters have {0} more problem.'),
            t('Its parameters have {0} more problems.'),
          ),
        ]
      : []),
  ];
}

/** Of two with one name, a model's call could mean either. */
function addDuplicates(resolved: readonly ResolvedTool[]): ResolvedTool[] {
  const counts = new Map<string, number>();
  for (const { tool } of resolved) counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1);
  return resolved.map((each) => {
    const count = counts.get(each.tool.name) ?? 1;
    if (count === 1) return each;
    const problem = t(
      'The playground has {0} tools of the name {1}; a call could mean any of them.',
      count,
      cutShort(each.tool.name),
    );
    return { ...each, problems: [...each.problems, problem] };
  });
}
