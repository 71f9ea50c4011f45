/** What goes along with the parcel, and what the packing table should know. */
export const WordsFields = () => (
  <fieldset>
    <legend>A word with it</legend>
    <label className="choice">
      <input name="gift" type="checkbox" />
      It is a gift
    </label>
    <div className="field">
      <label htmlFor="giftMessage">
        On the card <span className="optional">if it is a gift</span>
      </label>
      <textarea id="giftMessage" maxLength={300} name="giftMessage" rows={2} />
    </div>
    <div className="field">
      <label htmlFor="customerNotes">
        For us <span className="optional">if any</span>
      </label>
      <textarea id="customerNotes" maxLength={1000} name="customerNotes" rows={2} />
    </div>
  </fieldset>
)
