import {
  readDevice,
  readEnrolment,
  readExport,
  readRecoveryCodes,
} from '#domain/api/read-security';
import * as api from '#domain/api/security';
import { readRows } from '#domain/core/read';
import { type Http, readNothing } from './client';

/** The second factor, devices and own data (protocol.md#second-factor, protocol.md#sessions). */
export function securityCalls(http: Http) {
  return {
    enrol: () => http.send(api.otpEnrol, {}, readEnrolment),
    confirm: (otp: string) => http.send(api.otpConfirm, { otp }, readRecoveryCodes),
    remove: (otp: string) => http.send(api.otpRemove, { otp }, readNothing),
    devices: () =>
      http.get(api.deviceList, {}, (data) => readRows(data, readDevice), { quiet: true }),
    endDevice: (id: number) => http.send(api.endSession, { id }, readNothing),
    endOthers: () => http.send(api.endSession, { others: 1 }, readNothing),
    exportData: (password: string) => http.send(api.exportData, { password }, readExport),
    close: (password: string) => http.send(api.closeAccount, { password }, readNothing),
  };
}
