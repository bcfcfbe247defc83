import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Banner, Banners } from '../../../src/app/Banner';

test('banners come into a live region that has been painted before, also those of the first render', async () => {
  await act(async () => {
    render(
      <Banners>
        <Banner text="Slow prices" />
        <Banner text="A new version is ready." />
      </Banners>,
    );
  });
  const region = screen.getByRole('status');
  expect(region.textContent).toBe('');
  await screen.findByText('Slow prices');
  expect(screen.getAllByRole('status')).toEqual([region]);
  expect(region.children).toHaveLength(2);
});
