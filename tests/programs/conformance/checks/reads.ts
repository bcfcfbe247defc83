import * as account from '#domain/api/account';
import * as alerts from '#domain/api/alerts';
import type { Call } from '#domain/api/call';
import * as common from '#domain/api/common';
import * as companies from '#domain/api/companies';
import type { EndpointFields } from '#domain/api/endpoint';
import * as market from '#domain/api/market';
import * as mining from '#domain/api/mining';
import * as news from '#domain/api/news';
import * as ranking from '#domain/api/ranking';
import * as security from '#domain/api/security';
import * as trading from '#domain/api/trading';
import * as user from '#domain/api/user';
import * as wallet from '#domain/api/wallet';
import { readFields } from '#domain/core/read';
import type { Check } from '../check';
import { expectThat, Skipped } from '../expectations';
import { OPTIONAL_OF_USER, type Params, type Target } from '../target';

interface Read {
  section: string;
  name: string;
  endpoint: Call;
  /** Fields that a server may leave out. */
  optional?: string[];
  params?: Params;
  feature?: string;
}

const READS: readonly Read[] = [
  { section: 'areas', name: 'areas', endpoint: account.areaList },
  {
    section: 'settings',
    name: 'the setting is_show_mobile',
    endpoint: account.setting,
    params: { key: 'is_show_mobile' },
  },
  {
    section: 'app-status',
    name: 'the app status',
    endpoint: common.appStatus,
  },
  {
    section: 'companies',
    name: 'companies',
    endpoint: companies.companyList,
    params: { name: '' },
  },
  { section: 'captcha', name: 'a captcha', endpoint: account.captcha },
  {
    section: 'popular',
    name: 'what most users trade',
    endpoint: ranking.popularList,
    feature: 'popular',
  },
  {
    section: 'complaint-email',
    name: 'the complaint email',
    endpoint: account.complaintEmail,
  },
  {
    section: 'categories',
    name: 'categories',
    endpoint: market.categoryList,
  },
  {
    section: 'ranking-calls',
    name: 'traders',
    endpoint: ranking.traderList,
  },
  {
    section: 'news-calls',
    name: 'news',
    endpoint: news.newsList,
    params: { category_id: 1 },
  },
  {
    section: 'funds',
    name: 'funds',
    endpoint: mining.fundList,
  },
  {
    section: 'user-info',
    name: 'the user',
    endpoint: user.userInfo,
    optional: OPTIONAL_OF_USER,
  },
  {
    section: 'sessions',
    name: 'sessions',
    endpoint: security.deviceList,
    feature: 'sessions',
  },
  ...[0, 1, 3].map((status) => ({
    section: 'order-list',
    name: `orders of status ${status}`,
    endpoint: trading.orderList,
    params: { status, limit: 500 },
  })),
  { section: 'balance', name: 'the balance', endpoint: wallet.balance },
  {
    section: 'financial-records',
    name: 'financial records',
    endpoint: wallet.recordList,
  },
  {
    section: 'alerts',
    name: 'alerts',
    endpoint: alerts.alertList,
    feature: 'alerts',
  },
  {
    section: 'subscriptions',
    name: 'subscriptions',
    endpoint: mining.subscriptionList,
    optional: ['reason'],
  },
  {
    section: 'deposit-channels',
    name: 'coin networks',
    endpoint: wallet.coinNetworks,
  },
  {
    section: 'deposit-channels',
    name: 'currencies of banks',
    endpoint: wallet.bankCurrencies,
  },
  {
    section: 'deposit-channels',
    name: 'bank accounts',
    endpoint: wallet.bankAccounts,
  },
  {
    section: 'deposits',
    name: 'deposits',
    endpoint: wallet.depositList,
  },
  ...[1, 2].flatMap((type) => [
    {
      section: 'withdraw-currencies',
      name: `currencies of type ${type}`,
      endpoint: wallet.withdrawCurrencies,
      params: { type },
    },
    {
      section: 'withdrawals',
      name: `withdrawals of type ${type}`,
      endpoint: wallet.withdrawalList,
      params: { type },
    },
  ]),
  {
    section: 'payout-methods',
    name: 'payout methods',
    endpoint: wallet.payoutMethods,
    // protocol.md#payout-method
    optional: ['usable_at'],
  },
  {
    section: 'verification',
    name: 'the verification center',
    endpoint: account.verificationCenter,
    // A server without verified reasons may leave them out (protocol.md#verification-center).
    optional: ['reason'],
  },
];

/** Every call that only reads answers with rows of its schema. */
export const reads: readonly Check[] = [
  ...READS.map(({ section, name, endpoint, optional = [], params, feature }) => ({
    section,
    name: `${name}: ${endpoint.path} answers as its schema says`,
    ...(feature === undefined ? {} : { feature }),
    async run(target: Target) {
      const token = await tokenFor(target, endpoint);
      await target.ask(endpoint, params, { token, optional });
    },
  })),
  {
    section: 'news-calls',
    name: 'an article of the list opens',
    async run(target) {
      const { data } = await target.ask(news.newsList);
      const [first] = data;
      if (!first) throw new Skipped('there are no news');
      await target.ask(news.newsArticle, { id: first.id });
    },
  },
  {
    section: 'funds',
    name: 'a fund of the list opens',
    async run(target) {
      const { data } = await target.ask(mining.fundList);
      const [first] = data;
      if (!first) throw new Skipped('there are no funds');
      await target.ask(mining.fundInfo, { id: first.id });
    },
  },
  {
    section: 'schemas',
    name: 'OpenAPI and AsyncAPI documents are served',
    async run(target) {
      for (const path of ['/api/openapi.json', '/api/asyncapi.json']) {
        const { status, text } = await target.fetch(path);
        if (status === 404) throw new Skipped(`${path} is not served`);
        expectThat(readFields(JSON.parse(text)) !== undefined, `${path} is not an object`);
      }
    },
  },
];

async function tokenFor(target: Target, { access }: EndpointFields): Promise<string> {
  if (access === 'public') return '';
  return access === 'user' ? target.demo() : target.real();
}
