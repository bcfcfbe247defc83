import { act } from '@testing-library/react';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { addPanel, MAIN_AREA } from '#domain/workspace/layout';
import { Dock } from '../../../../src/app/workspace/Dock';
import { PANEL_COMPONENTS, PANELS } from '../../../../src/app/workspace/panels';
import { shippedLayout } from '../../../../src/app/workspace/shipped';
import { addLayout, chooseLayout, deleteLayout } from '../../../../src/app/workspace/store';
import { showLanguage } from '../../../../src/i18n/i18n';
import { lazyPart } from '../../../../src/ui/lazyPart';
import { onDesktop, renderSettled } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

beforeEach(async () => {
  onDesktop();
  scriptWorkerApi();
  await showLanguage('en');
  for (const { id } of PANELS) {
    const Content = () => <p>{`content of ${id}`}</p>;
    PANEL_COMPONENTS.set(
      id,
      lazyPart(async () => ({ default: Content })),
    );
  }
});

/** A layout of the user, to which a panel was added. */
function withPanel(kind: string) {
  const added = addPanel(shippedLayout('one'), { kind, link: 1 });
  const layout = added && addLayout(kind, added.layout);
  if (!layout) throw new Error('no place for it');
  return { layout, id: added.id };
}

test('two layouts have panels of other kinds under one id: each shows its own', async () => {
  const [details, news] = [withPanel('details'), withPanel('news')];
  expect(details.id).toBe(news.id);
  await renderSettled(
    <HashRouter>
      <Dock area={MAIN_AREA} />
    </HashRouter>,
  );
  const shown = () => document.querySelector(`#panel-${news.id}`)?.textContent;
  expect(shown()).toContain('content of news');
  await act(async () => chooseLayout(details.layout));
  expect(shown()).toContain('content of details');
  expect(shown()).not.toContain('content of news');
  await act(async () => {
    for (const made of [details, news]) deleteLayout(made.layout);
  });
});
