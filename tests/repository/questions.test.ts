import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesOf, slugsOf } from './names';
import { root } from './tree';

const page = readFileSync(join(root, 'docs/questions.md'), 'utf8');
const questions = [...page.matchAll(/^\d+\. (.+\?) (.+)$/gm)].map(
  ([, question = '', answers = '']) => ({
    question,
    answers: [...answers.matchAll(/`([^`]+)`/g)].map(([, answer = '']) => answer),
  }),
);

/** Whether `path#name` is a heading of that page, or an exported name of that file. */
function resolves(answer: string): boolean {
  const [path = '', name = ''] = answer.split('#');
  if (!existsSync(join(root, path))) return false;
  const text = readFileSync(join(root, path), 'utf8');
  const known = path.endsWith('.md') ? [...slugsOf(text)] : namesOf({ path, text });
  return known.includes(name);
}

describe('docs/questions.md', () => {
  it('has at least thirty', () => expect(questions.length).toBeGreaterThanOrEqual(30));

  it.each(questions)('$question', ({ answers }) => {
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.filter((answer) => !resolves(answer))).toEqual([]);
  });
});
