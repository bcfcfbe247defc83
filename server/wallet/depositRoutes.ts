import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as api from '#domain/api/wallet';
import { type CreatedRow, DEPOSIT_BANK, DEPOSIT_COIN } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import { toCurrencyAmount } from '#domain/core/units';
import { pageOf } from '../api/fields';
import * as schemas from '../api/wallet';
import type { UnitOfWork } from '../db/transactions';
import { Confirmed } from '../http/envelope';
import { decimal, integer, noParams, oneOf, optional, optionalText, page } from '../http/params';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { WalletCatalogue } from './catalogue';
import type { Declaration, Deposits } from './deposits';

export interface DepositRouteParts {
  requests: IdempotentRequests;
  deposits: Deposits;
  catalogue: WalletCatalogue;
}

/** Longest address that browsers accept. */
const MAX_URL = 2_000;

/** Undefined where the parameter is missing: the rules distinguish missing from zero. */
const amount = optional(decimal(toCurrencyAmount), undefined);
const chosen = optional(integer, 0);

/** The deposit calls (protocol.md#deposits); for real users. */
export function depositRoutes(app: FastifyInstance, parts: DepositRouteParts): void {
  const { requests, deposits, catalogue } = parts;

  route(app, api.coinNetworks, {
    params: noParams,
    data: z.array(schemas.coinNetwork),
    handler: () =>
      catalogue.networks.map(({ id, currency, protocol, address, usdPrice }) => ({
        id,
        currency_code: currency,
        protocol_code: protocol,
        address,
        usd_price: toText(usdPrice),
      })),
  });

  route(app, api.bankCurrencies, {
    params: noParams,
    data: z.array(schemas.bankCurrency),
    handler: () =>
      catalogue.bankCurrencies.map(({ id, name, usdPrice }) => ({
        id,
        name,
        usd_price: toText(usdPrice),
      })),
  });

  route(app, api.bankAccounts, {
    params: z.object({ bank_coin: chosen }),
    data: z.array(schemas.bankAccount),
    handler: ({ params }) =>
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

  const submit = async (work: UnitOfWork, userId: number, declared: Declaration) => {
    const data: CreatedRow = { id: await deposits.submit(work, userId, declared) };
    return new Confirmed(data, 'server.depositSubmitted');
  };

  changingRoute(app, requests, api.submitCoinDeposit, {
    params: z.object({
      number: amount,
      proofImg: optionalText(MAX_URL),
      address: optionalText(),
      charge_id: chosen,
    }),
    data: schemas.created,
    handler: ({ params, caller }, work) =>
      submit(work, caller.userId, {
        kind: 'coin',
        channelId: params.charge_id,
        number: params.number,
        proof: params.proofImg,
        address: params.address,
      }),
  });

  changingRoute(app, requests, api.submitBankDeposit, {
    params: z.object({
      number: amount,
      proofImg: optionalText(MAX_URL),
      wire_id: chosen,
    }),
    data: schemas.created,
    handler: ({ params, caller }, work) =>
      submit(work, caller.userId, {
        kind: 'bank',
        channelId: params.wire_id,
        number: params.number,
        proof: params.proofImg,
        address: '',
      }),
  });

  route(app, api.depositList, {
    params: z.object({ type: optional(oneOf(DEPOSIT_COIN, DEPOSIT_BANK), DEPOSIT_COIN), page }),
    data: pageOf(schemas.depositRecord),
    handler: ({ params, caller }) =>
      deposits.page(caller.userId, params.type === DEPOSIT_COIN ? 'coin' : 'bank', params.page),
  });
}
