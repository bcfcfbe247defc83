import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-react';
import { act } from '@testing-library/react';
import { Activity, memo, StrictMode, Suspense, use } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { useValue } from '../../src/useValue';
import { renderSettled } from './rendering';

type Source = ReadonlySignal<unknown>;
const Value = ({ of }: { of: Source; round?: number }) => String(useValue(of));
const Kept = memo(Value);

/** The signals of a test that have a subscriber. */
const watched = new Set<Source>();
beforeEach(() => watched.clear());
const watchedSignal = <T,>(value: T): Signal<T> =>
  signal(value, {
    watched() {
      watched.add(this);
    },
    unwatched() {
      watched.delete(this);
    },
  });

test('a component in a hidden Activity holds no subscription, also when it renders, and shows the present value when it is shown', async () => {
  const price = watchedSignal(1);
  const tenfold = computed(() => price.value * 10);
  const screen = (mode: 'visible' | 'hidden', round: number) => (
    <StrictMode>
      <Activity mode={mode}>
        <Value of={price} round={round} />
        <Kept of={tenfold} />
      </Activity>
    </StrictMode>
  );
  const page = await renderSettled(screen('hidden', 0));
  expect(watched.size).toBe(0);
  await act(async () => page.rerender(screen('visible', 1)));
  expect(watched).toEqual(new Set([price]));
  await act(async () => page.rerender(screen('hidden', 2)));
  expect(watched.size).toBe(0);
  await act(async () => void price.value++);
  await act(async () => page.rerender(screen('hidden', 3)));
  expect(watched.size).toBe(0);
  await act(async () => void price.value++);
  await act(async () => page.rerender(screen('visible', 3)));
  expect(page.container.textContent).toBe('330');
  await act(async () => void price.value++);
  expect(page.container.textContent).toBe('440');
  await act(async () => page.unmount());
  expect(watched.size).toBe(0);
});

test('a component that waits for its code before it is shown holds no subscription', async () => {
  const price = watchedSignal(1);
  const never = new Promise<never>(() => undefined);
  const Waiting = () => {
    useValue(price);
    return use(never);
  };
  const page = await renderSettled(
    <Suspense fallback="waits">
      <Waiting />
    </Suspense>,
  );
  expect(page.container.textContent).toBe('waits');
  expect(watched.size).toBe(0);
});

test('a component follows the signal that it is given now', async () => {
  const [first, second] = [watchedSignal(1), watchedSignal(2)];
  const page = await renderSettled(<Kept of={first} />);
  await act(async () => page.rerender(<Kept of={second} />));
  expect(page.container.textContent).toBe('2');
  expect(watched).toEqual(new Set([second]));
  await act(async () => void second.value++);
  expect(page.container.textContent).toBe('3');
  await act(async () => page.unmount());
  expect(watched.size).toBe(0);
});

test('a value that changes between the first render and its subscription is shown', async () => {
  const price = signal(1);
  const Changes = () => {
    const shown = useValue(price);
    price.value = 2;
    return shown;
  };
  const page = await renderSettled(<Changes />);
  expect(page.container.textContent).toBe('2');
});

test('a function is a value like others', async () => {
  const source = signal((): string => 'first');
  const Called = () => useValue(source)();
  const page = await renderSettled(<Called />);
  expect(page.container.textContent).toBe('first');
  await act(async () => {
    source.value = () => 'second';
  });
  expect(page.container.textContent).toBe('second');
});
