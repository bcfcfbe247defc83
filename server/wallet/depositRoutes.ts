import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  type BankAccountRow,
  type BankCurrencyRow,
  CHARGE_BANK,
  CHARGE_COIN,
  type CoinNetworkRow,
  type CreatedRow,
} from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import { toCurrencyAmount } from '#domain/core/units';
import { Confirmed } from '../http/envelope';
import { decimal, integer, oneOf, optional, optionalText, page } from '../http/params';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { WalletCatalogue } from './catalogue';
import type { Deposits } from './deposits';

export interface DepositRouteParts {
  requests: IdempotentRequests;
  deposits: Deposits;
  catalogue: WalletCatalogue;
}

/** An address as long as browsers take them. */
const LONGEST_URL = 2_000;

/** Undefined where nothing was sent: the rules tell "nothing" from "zero". */
const amount = optional(decimal(toCurrencyAmount), undefined);
const chosen = optional(integer, 0);

/** The deposit calls of §7; for real users. */
export function depositRoutes(app: FastifyInstance, parts: DepositRouteParts): void {
  const { requests, deposits, catalogue } = parts;
  const real = { auth: true, account: 'real' } as const;

  route(app, {
    method: 'GET',
    url: '/api/quickCharge/symbols',
    ...real,
    handler: (): CoinNetworkRow[] =>
      catalogue.networks.map(({ id, currency, protocol, address, usdPrice }) => ({
        id,
        currency_code: currency,
        protocol_code: protocol,
        address,
        usd_price: toText(usdPrice),
      })),
  });

  route(app, {
    method: 'GET',
    url: '/api/quickCharge/info',
    ...real,
    handler: (): BankCurrencyRow[] =>
      catalogue.bankCurrencies.map(({ id, name, usdPrice }) => ({
        id,
        name,
        usd_price: toText(usdPrice),
      })),
  });

  route(app, {
    method: 'GET',
    url: '/api/quickCharge/wire_info',
    params: z.object({ bank_coin: chosen }),
    ...real,
    handler: ({ params }): BankAccountRow[] =>
      catalogue.bankAccounts
        .filter(({ currencyId }) => params.bank_coin === 0 || currencyId === params.bank_coin)
        .map((account) => ({
          id: account.id,
          bank_name: account.bankName,
          bank_address: account.bankAddress,
          bank_swift: account.bankSwift,
          payee_name: account.payeeName,
          payee_account: account.payeeAccount,
          bank_remark: account.remark,
        })),
  });

  changingRoute(app, requests, {
    method: 'GET',
    url: '/api/quickCharge/submit',
    params: z.object({
      number: amount,
      proofImg: optionalText(LONGEST_URL),
      address: optionalText(),
      charge_id: chosen,
    }),
    account: 'real',
    async handler({ params, caller }, work) {
      const data: CreatedRow = {
        id: await deposits.submit(work, caller.userId, {
          kind: 'coin',
          channelId: params.charge_id,
          number: params.number,
          proof: params.proofImg,
          address: params.address,
        }),
      };
      return new Confirmed(data, 'server.depositSubmitted');
    },
  });

  changingRoute(app, requests, {
    method: 'GET',
    url: '/api/quickCharge/wire_submit',
    params: z.object({
      number: amount,
      proofImg: optionalText(LONGEST_URL),
      wire_id: chosen,
    }),
    account: 'real',
    async handler({ params, caller }, work) {
      const data: CreatedRow = {
        id: await deposits.submit(work, caller.userId, {
          kind: 'bank',
          channelId: params.wire_id,
          number: params.number,
          proof: params.proofImg,
          address: '',
        }),
      };
      return new Confirmed(data, 'server.depositSubmitted');
    },
  });

  route(app, {
    method: 'GET',
    url: '/api/quickCharge/quick_ist',
    params: z.object({ type: optional(oneOf(CHARGE_COIN, CHARGE_BANK), CHARGE_COIN), page }),
    ...real,
    handler: ({ params, caller }) =>
      deposits.page(caller.userId, params.type === CHARGE_COIN ? 'coin' : 'bank', params.page),
  });
}
