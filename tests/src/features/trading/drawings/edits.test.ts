import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Drawing,
  type Drawings,
  MOST_DRAWINGS,
} from '../../../../../src/features/trading/drawings/drawing';
import {
  adding,
  changing,
  type Edit,
  edited,
  type History,
  redo,
  removing,
  undo,
  withEdit,
} from '../../../../../src/features/trading/drawings/edits';
import { largeCount, samples, seed } from '../../../../helpers/samples';
import { aDrawing, anchorsOf, aStyle, aText } from './arbitrary';

const EMPTY: History = { list: [], done: [], undone: [] };

/** A step of a user, in words that the model understands too. `pick` chooses one of the drawings. */
type Step =
  | { do: 'add' | 'import'; drawings: Drawing[] }
  | { do: 'move' | 'style' | 'lock' | 'text' | 'delete'; pick: number; with: Drawing }
  | { do: 'deleteAll' | 'undo' | 'redo' };

const some = aDrawing(fc.constant(''));
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: some.map((drawing) => ({ do: 'add' as const, drawings: [drawing] })) },
  {
    weight: 1,
    arbitrary: fc
      .array(some, { maxLength: 5 })
      .map((drawings) => ({ do: 'import' as const, drawings })),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom('move', 'style', 'lock', 'text', 'delete'),
      pick: fc.nat(),
      with: some,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'deleteAll' as const }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('undo', 'redo') }) },
);

/** The model: every state that there was, and which of them is shown. */
class Model {
  #states: Drawings[] = [[]];
  #at = 0;

  get list(): Drawings {
    return this.#states[this.#at] ?? [];
  }
  undo(): void {
    this.#at = Math.max(0, this.#at - 1);
  }
  redo(): void {
    this.#at = Math.min(this.#states.length - 1, this.#at + 1);
  }
  set(list: Drawings): void {
    if (JSON.stringify(list) === JSON.stringify(this.list)) return;
    this.#states = [...this.#states.slice(0, this.#at + 1), list];
    this.#at += 1;
  }
}

function changed(drawing: Drawing, step: Step): Drawing {
  if (!('with' in step)) return drawing;
  const other = step.with;
  if (step.do === 'lock') return { ...drawing, locked: !drawing.locked };
  if (step.do === 'style') return { ...drawing, style: other.style };
  if (step.do === 'text') return { ...drawing, text: drawing.text && `${drawing.text}!` };
  const anchors = drawing.anchors.map((anchor, index) => other.anchors[index] ?? anchor);
  return { ...drawing, anchors };
}

test('random edits with undo and redo leave what the model has', async () => {
  const count = samples(1000, 100_000);
  await largeCount('drawings: random edits with undo and redo', count, () => {
    let done = 0;
    let most = 0;
    let undone = 0;
    // Below the number of edits that can be undone, so that the model needs no such limit.
    const runs = Math.ceil(count / 400);
    fc.assert(
      fc.property(fc.array(aStep, { minLength: 400, maxLength: 400, size: 'max' }), (steps) => {
        const model = new Model();
        let history = EMPTY;
        let id = 0;
        for (const step of steps) {
          const { list } = history;
          const picked = 'pick' in step ? list[step.pick % Math.max(1, list.length)] : undefined;
          let edit: Edit = [];
          if (step.do === 'undo') {
            history = undo(history);
            model.undo();
            undone += 1;
          } else if (step.do === 'redo') {
            history = redo(history);
            model.redo();
          } else if (step.do === 'add' || step.do === 'import') {
            const added = step.drawings.map((drawing) => ({ ...drawing, id: `id-${id++}` }));
            edit = adding(list, added);
            model.set([...model.list, ...added].slice(0, MOST_DRAWINGS));
          } else if (step.do === 'deleteAll') {
            edit = removing(list, new Set(list.map((drawing) => drawing.id)));
            model.set(model.list.filter(({ locked }) => locked));
          } else if (picked && step.do === 'delete') {
            edit = removing(list, new Set([picked.id]));
            model.set(model.list.filter((drawing) => drawing.id !== picked.id || drawing.locked));
          } else if (picked) {
            edit = changing(list, picked.id, (drawing) => changed(drawing, step));
            model.set(
              model.list.map((drawing) =>
                drawing.id === picked.id ? changed(drawing, step) : drawing,
              ),
            );
          }
          history = edited(history, edit);
          expect(history.list).toEqual(model.list);
          done += 1;
          most = Math.max(most, history.list.length);
        }
      }),
      { numRuns: runs, seed },
    );
    expect(undone).toBeGreaterThan(count / 20);
    return `${done} edits, ${undone} undone, at most ${most} drawings; each equal to the model`;
  });
});

test('undo leaves alone what another tab has changed since', () => {
  fc.assert(
    fc.property(
      fc.array(aDrawing(fc.constant('')), { minLength: 3, maxLength: 3 }),
      aStyle,
      (drawings, style) => {
        const [one, two, three] = drawings.map((drawing, at) => ({
          ...drawing,
          id: `${at}`,
          locked: false,
        })) as [Drawing, Drawing, Drawing];
        fc.pre(JSON.stringify(one.style) !== JSON.stringify(style));
        let history = edited(EMPTY, adding([], [one, two]));
        // The other tab gives the first another style and adds a third.
        const there = withEdit(
          withEdit(
            history.list,
            changing(history.list, one.id, (drawing) => ({ ...drawing, style })),
          ),
          adding(history.list, [three]),
        );
        history = undo({ ...history, list: there });
        expect(history.list).toEqual([{ ...one, style }, three]);
        expect(redo(history).list).toEqual([{ ...one, style }, two, three]);
      },
    ),
    { seed },
  );
});

test('a locked drawing is not deleted, and there are at most 200', () => {
  fc.assert(
    fc.property(aDrawing(fc.constant('a')), anchorsOf('text'), aText, (drawing, anchors, text) => {
      const locked = { ...drawing, locked: true };
      expect(removing([locked], new Set(['a']))).toEqual([]);
      const many = Array.from({ length: MOST_DRAWINGS + 1 }, (_, at) => ({
        ...drawing,
        kind: 'text' as const,
        anchors,
        text,
        id: `${at}`,
      }));
      expect(withEdit([], adding([], many))).toHaveLength(MOST_DRAWINGS);
      expect(adding(many.slice(1), [drawing])).toEqual([]);
    }),
    { seed, numRuns: 20 },
  );
});
