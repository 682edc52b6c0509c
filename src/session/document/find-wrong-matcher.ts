// Finds matchers in a document that are written wrongly.
import { t } from '@vscode/l10n';
import { checkMatchers } from '../../inspect';
import type { IsLater } from '../../inspect';
import type { PlaygroundDocument } from '../../protocol';
import type { Expectation } from '../../types';
import { formatPlace } from './place';
import type { Path } from './place';

/**
 * @param isLater Whether an operand is filled for each row, and checked then.
 * @param at Path of the expectations.
 * @returns the first one and what is wrong with it, as a sentence; undefined when there is none
 */
export function findWrongMatcher(
  { tools, expect }: Pick<PlaygroundDocument, 'tools' | 'expect'>,
  isLater?: IsLater,
  at: Path = ['expect'],
): { path: Path; message: string } | undefined {
  const patterns = [
    ...tools.flatMap(({ mocks = [] }, tool) =>
      mocks.map(({ when }, mock): Pattern => [['tools', tool, 'mocks', mock, 'when'], when]),
    ),
    ...expect.flatMap((each, index) => patternsOf(each, [...at, index])),
  ];
  for (const [path, pattern] of patterns) {
    const problem = checkMatchers(pattern, path, isLater);
    if (problem)
      return { path: problem.path, message: t('{0} {1}.', formatPlace(problem.path), problem.message) };
  }
  return undefined;
}

type Pattern = readonly [path: Path, pattern: unknown];

/** Every value of an expectation that may contain matchers. */
const patternsOf = ({ when, calls = [], text }: Expectation, path: Path): Pattern[] => [
  [[...path, 'when'], when],
  ...calls.map((call, index): Pattern => [[...path, 'calls', index, 'arguments'], call.arguments]),
  [[...path, 'text'], text],
];
