import { ErasureNotice as ErasureNotice_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { StoryOfDocument as StoryOfDocument_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { ErasureListNotice as ErasureListNotice_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { VariantOptionsSelector as VariantOptionsSelector_b91672ccd6e8b071c11142ab941fedfb } from '@payloadcms/plugin-ecommerce/rsc'
import { PriceCell as PriceCell_e27bf7b8cc50640dcdd584767b8eac3c } from '@payloadcms/plugin-ecommerce/client'
import { PriceInput as PriceInput_b91672ccd6e8b071c11142ab941fedfb } from '@payloadcms/plugin-ecommerce/rsc'
import { ListField as ListField_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { AmountCell as AmountCell_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { AmountInput as AmountInput_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { StandingCell as StandingCell_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { FinishOrder as FinishOrder_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { StateCell as StateCell_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { ReasonCell as ReasonCell_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { FailuresLink as FailuresLink_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { SendView as SendView_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { FailuresView as FailuresView_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { ErasureForm as ErasureForm_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { AlertSnooze as AlertSnooze_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { OverviewView as OverviewView_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { SettingsTabs as SettingsTabs_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { ShippingSettingsNotice as ShippingSettingsNotice_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { SecretField as SecretField_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { ChoiceField as ChoiceField_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { MarketingSettingsNotice as MarketingSettingsNotice_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { ConnectionTest as ConnectionTest_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { KlaviyoMetrics as KlaviyoMetrics_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { ConsentProofLink as ConsentProofLink_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { AlertSettingsNotice as AlertSettingsNotice_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { AlertTest as AlertTest_3c67b55d34ec7c878e03a5b307d79a77 } from 'payload-storeconnect/client'
import { DashboardCard as DashboardCard_45a42488f4a29df13b67fd5e554e7556 } from 'payload-storeconnect/rsc'
import { CollectionCards as CollectionCards_f9c02e79a4aed9a3924487c0cd4cafb1 } from '@payloadcms/next/rsc'

/** @type import('payload').ImportMap */
export const importMap = {
  "payload-storeconnect/rsc#ErasureNotice": ErasureNotice_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/client#StoryOfDocument": StoryOfDocument_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/rsc#ErasureListNotice": ErasureListNotice_45a42488f4a29df13b67fd5e554e7556,
  "@payloadcms/plugin-ecommerce/rsc#VariantOptionsSelector": VariantOptionsSelector_b91672ccd6e8b071c11142ab941fedfb,
  "@payloadcms/plugin-ecommerce/client#PriceCell": PriceCell_e27bf7b8cc50640dcdd584767b8eac3c,
  "@payloadcms/plugin-ecommerce/rsc#PriceInput": PriceInput_b91672ccd6e8b071c11142ab941fedfb,
  "payload-storeconnect/rsc#ListField": ListField_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/client#AmountCell": AmountCell_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/rsc#AmountInput": AmountInput_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#StandingCell": StandingCell_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/client#FinishOrder": FinishOrder_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/rsc#StateCell": StateCell_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#ReasonCell": ReasonCell_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/client#FailuresLink": FailuresLink_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/rsc#SendView": SendView_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#FailuresView": FailuresView_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/client#ErasureForm": ErasureForm_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/client#AlertSnooze": AlertSnooze_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/rsc#OverviewView": OverviewView_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#SettingsTabs": SettingsTabs_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#ShippingSettingsNotice": ShippingSettingsNotice_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#SecretField": SecretField_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#ChoiceField": ChoiceField_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/rsc#MarketingSettingsNotice": MarketingSettingsNotice_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/client#ConnectionTest": ConnectionTest_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/client#KlaviyoMetrics": KlaviyoMetrics_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/client#ConsentProofLink": ConsentProofLink_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/rsc#AlertSettingsNotice": AlertSettingsNotice_45a42488f4a29df13b67fd5e554e7556,
  "payload-storeconnect/client#AlertTest": AlertTest_3c67b55d34ec7c878e03a5b307d79a77,
  "payload-storeconnect/rsc#DashboardCard": DashboardCard_45a42488f4a29df13b67fd5e554e7556,
  "@payloadcms/next/rsc#CollectionCards": CollectionCards_f9c02e79a4aed9a3924487c0cd4cafb1
}
