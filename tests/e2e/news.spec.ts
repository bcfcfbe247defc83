import { expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-traders');
});
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

const DANGERS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://127.0.0.1:9/x.png" onerror="alert(1)" onload="alert(1)">',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style></mglyph></form>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<iframe src="javascript:alert(1)"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">link</a><a href="JaVa&#09;ScRiPt:alert(1)">link</a>',
  '<a href="data:text/html,<script>alert(1)</script>">link</a><a href="vbscript:x">link</a>',
  '<a href="#/mine/withdraw">link</a><a href="/x">link</a><a href="//x.test">link</a>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)></audio>',
  '<input autofocus onfocus=alert(1)><button formaction="javascript:alert(1)">x</button>',
  '<marquee onstart=alert(1)>x</marquee><body onload=alert(1)>',
  '<base href="https://x.test/"><link rel=stylesheet href="https://x.test/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://x.test">',
  '<style>*{display:none}@import "https://x.test/x.css"</style><p style="position:fixed">x</p>',
  '<div style="background:url(javascript:alert(1))" id="root" class="toast" name="x">x</div>',
  '<img src="http://x.test/x.png"><img src="/api/fund/applyRefund?sub_id=1"><img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<template><script>alert(1)</script></template><textarea></textarea><img src=x onerror=alert(1)>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<p>unclosed <b>and <i>nested <a href="https://example.com" onclick="alert(1)" target="_self">ok</a>',
];

/** Elements of HTML, SVG and MathML, old and new. Those that never end come last. */
const ELEMENTS = (
  'a abbr annotation-xml animate animateTransform applet area article aside audio b base basefont bdi bdo ' +
  'bgsound blink blockquote body br button canvas caption center cite code col command data datalist dd del ' +
  'details desc dialog dir div dl dt em embed fencedframe fieldset figure font foreignObject form frame frameset ' +
  'h1 head header hr html i iframe image img input ins isindex kbd keygen label legend li link listing maction ' +
  'main map mark marquee math menu meta meter mglyph mi mtext nav nobr noembed noframes noscript object ol ' +
  'optgroup option output p param picture portal pre progress q rp rt ruby samp script search section select set ' +
  'shadow slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th ' +
  'thead time title tr track tt u ul use var video wbr x-y xmp plaintext'
).split(' ');

/** Each element with all event handlers that this browser knows, and other active attributes. */
async function everything(page: Page, [before = '', after = '']: string[]): Promise<string> {
  const handlers = await page.evaluate(() => {
    const names = new Set<string>();
    for (const start of [window, document.body, document.createElement('video')]) {
      for (let object: object | null = start; object; object = Object.getPrototypeOf(object)) {
        for (const name of Object.getOwnPropertyNames(object)) names.add(name);
      }
    }
    return [...names].filter((name) => /^on[a-z]+$/.test(name));
  });
  expect(handlers.length).toBeGreaterThan(100);
  const addresses =
    'action background cite data formaction href poster src srcset xlink:href'.split(' ');
  const attributes = [
    ...handlers.map((name) => `${name}=alert(1)`),
    ...addresses.map((name) => `${name}=javascript:alert(1)`),
    'srcdoc="<script>alert(1)</script>" style=color:red is=x id=root name=x class=x autofocus',
  ].join(' ');
  return ELEMENTS.map((tag) => `${before}<${tag} ${attributes}>x</${tag}>${after}`).join('');
}

test('an article runs no script, embeds and requests nothing, and cannot navigate the app', async ({
  page,
  context,
}) => {
  const alerts: string[] = [];
  page.on('dialog', async (dialog) => {
    alerts.push(dialog.message());
    await dialog.dismiss();
  });
  const asked: string[] = [];
  context.on('request', (request) => {
    // The page's own worker is a blob of its origin.
    const { origin, pathname } = new URL(request.url());
    if (origin !== new URL(product.url).origin || pathname.includes('applyRefund')) {
      asked.push(request.url());
    }
  });
  await page.goto(product.url);
  const contents = [...DANGERS];
  for (const around of [[], ['<svg>', '</svg>'], ['<math>', '</math>']]) {
    contents.push(await everything(page, around));
  }
  await context.route('**/api/news/info*', (route) => {
    const id = Number(new URL(route.request().url()).searchParams.get('id'));
    const content = `${contents[id - 1]}<p>end</p>`;
    const data = { id, title: `Danger ${id}`, desc: '', logo: '', created_at: '', content };
    return route.fulfill({ json: { code: 1, msg: '', data } });
  });
  for (let id = 1; id <= contents.length; id++) {
    await page.goto(`${product.url}/#/news/detail?id=${id}`);
    await expect(page.getByRole('heading', { name: `Danger ${id}`, exact: true })).toBeVisible();
    const shown = page.getByRole('article').first();
    const found = await shown.evaluate((article) => {
      const wrong: string[] = [];
      for (const element of article.querySelectorAll(':scope > div *')) {
        for (const { name, value } of element.attributes) {
          if (/^(on|style|id|class|name|srcdoc|formaction)/.test(name)) wrong.push(name);
          if (name === 'href' && !/^(https:|mailto:)/.test(value)) wrong.push(value);
          if (name === 'src' && !value.startsWith(`${location.origin}/`)) wrong.push(value);
        }
        const banned =
          'script, style, iframe, object, embed, form, input, button, svg, math, video, link, base, meta';
        if (element.matches(banned)) wrong.push(element.tagName);
        if (element.matches('a[href]:not([rel~=noopener][target=_blank])')) wrong.push('rel');
        if (element.matches('img:not([loading=lazy])')) wrong.push('eager');
      }
      return wrong;
    });
    expect(found, contents[id - 1]).toEqual([]);
  }
  expect(alerts).toEqual([]);
  expect(asked).toEqual([]);
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('opens an article from the market, and returns to the same place', async ({ page }) => {
    await product.admin(['news', 'The', 'desk', 'speaks'], '<p>Rates <b>rise</b>.</p>');
    await page.goto(product.url);
    await page.getByRole('link', { name: 'News' }).click();
    await expect(page.getByRole('link', { name: /The desk speaks/ })).toContainText('Rates rise.');
    const last = page.getByRole('link', { name: /Lots, units and what one point is worth/ });
    const scroller = page.locator('main section > div').last();
    await expect(async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect(last).toBeInViewport({ timeout: 500 });
    }).toPass({ intervals: [50] });
    await expect(page.getByText('No more')).toBeVisible();
    await last.click();
    await expect(page.getByRole('heading', { name: /Lots, units/ })).toBeVisible();
    await expect(page.getByText('A lot is a fixed number of units')).toBeVisible();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(last).toBeInViewport();
  });

  test('lists several pages with each row once, also after a failed page', async ({
    page,
    context,
  }) => {
    const total = 50;
    let fail = true;
    await context.route('**/api/news/list*', (route) => {
      const number = Number(new URL(route.request().url()).searchParams.get('page'));
      if (number === 2 && fail) return route.abort('connectionreset');
      const rows = Array.from({ length: total }, (_, index) => ({
        id: total - index,
        title: `Item ${total - index}`,
        desc: 'x',
        logo: '',
        created_at: '2026-01-31T08:00:00.000Z',
      }));
      // A new article shifts the pages by one row.
      const from = number === 1 ? 0 : (number - 1) * 20 - 1;
      return route.fulfill({
        json: { code: 1, msg: '', data: { data: rows.slice(from, from + 20), total } },
      });
    });
    await page.goto(`${product.url}/#/news`);
    await expect(page.getByText('Item 50')).toBeVisible();
    const list = page.getByRole('list', { name: 'News' });
    const scroller = page.locator('main section > div').last();
    const seen = new Set<string>();
    const down = async () => {
      for (const text of await list.getByRole('listitem').allTextContents()) {
        seen.add(/Item \d+/.exec(text)?.[0] ?? '');
      }
      await scroller.evaluate(async (element) => {
        element.scrollBy(0, 300);
        // The list renders the scrolled rows in the next frame.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      });
    };
    const alert = page.getByRole('alert');
    await expect(async () => {
      await down();
      await expect(alert).toBeInViewport({ timeout: 200 });
    }).toPass({ intervals: [50] });
    await expect(alert).toContainText('No connection to the server');
    fail = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(async () => {
      await down();
      await expect(page.getByText('No more')).toBeInViewport({ timeout: 200 });
    }).toPass({ intervals: [50] });
    expect(await list.getByRole('listitem').last().getAttribute('aria-setsize')).toBe('50');
    await expect(page.getByText('Item 1', { exact: true })).toBeVisible();
    expect(seen.size).toBe(total);
  });

  test('a list that fails shows an error', async ({ page, context }) => {
    await context.route('**/api/news/list*', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${product.url}/#/news`);
    await expect(page.getByRole('alert')).toContainText('This could not be loaded');
    await context.unroute('**/api/news/list*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('link', { name: /Keep your account yours/ })).toBeVisible();
  });
});

test.describe('on a desktop', () => {
  test.use(DESKTOP);

  test('an article that does not exist leads to the others', async ({ page, context }) => {
    await context.addCookies([languageCookie('en', product.url)]);
    await page.goto(`${product.url}/#/news/detail?id=999999`);
    await page.getByRole('link', { name: 'All news' }).click();
    await expect(page.getByRole('link', { name: /Keep your account yours/ })).toBeVisible();
  });

  test('an article is in the language of the reader', async ({ page, context }) => {
    await context.addCookies([languageCookie('hk', product.url)]);
    await page.goto(`${product.url}/#/news/detail?id=1`);
    await expect(page.getByRole('article')).toContainText('手');
  });
});
