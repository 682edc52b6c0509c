// Resolves the tools of a document: follows references and lists what is wrong with each tool. Does not read tool libraries
// itself, but through a function it is given.
import { t } from '@vscode/l10n';
import { countOf } from '../../inspect';
import type { DocumentTool, ToolReference } from '../../protocol';
import { DOCUMENT_LIMIT } from '../../protocol';
import { checkSchema } from './schema/check-schema';
import { cutShort } from '../../inspect';
import { toolNameProblem } from './tool-name-problem';

const MAX_FINDINGS = 5;

export interface ResolvedTool {
  tool: DocumentTool;
  /** Index of the entry in the document. */
  index: number;
  /** The `$ref`, when the document refers to the tool. */
  reference?: string;
  /** Whole sentences. */
  problems: string[];
}

/**
 * @param resolve As in `ToolSource`: returns the tool, or one sentence that says why there is none.
 * @returns one tool for each entry, in order; a tool that cannot be resolved is not offered. Never rejects
 */
export async function resolveTools(
  tools: ReadonlyArray<DocumentTool | ToolReference>,
  resolve: (reference: string) => Promise<DocumentTool | string>,
): Promise<ResolvedTool[]> {
  // Each reference is resolved once, however often the document has it.
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

/** The tool name in a reference: `get_weather` of `./tools.json#/get_weather`. Never empty. */
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
  const rest = findings.length - MAX_FINDINGS;
  return [
    ...(nameProblem === undefined ? [] : [nameProblem]),
    ...findings
      .slice(0, MAX_FINDINGS)
      .map(({ path, message }) => t('In the parameters, {0} {1}.', path || t('all'), message)),
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

/** Reports tools with the same name: a model's call of that name could mean any of them. */
function addDuplicates(resolved: readonly ResolvedTool[]): ResolvedTool[] {
  const counts = new Map<string, number>();
  for (const { tool } of resolved) counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1);
  return resolved.map((each) => {
    const count = counts.get(each.tool.name) ?? 1;
    if (count === 1) return each;
    const problem = t(
      'The playground has {0} tools with the name {1}; a call could mean any of them.',
      count,
      cutShort(each.tool.name),
    );
    return { ...each, problems: [...each.problems, problem] };
  });
}
